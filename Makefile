.PHONY: build
build:
	swift build -c release --static-swift-stdlib --product sluice
